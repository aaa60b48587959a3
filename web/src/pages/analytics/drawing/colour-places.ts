/** The palette indexes of names by group: models, prompts, or the values of a metadata key. */
const known = new Map<string, Map<string, number>>()

// Two of the sixteen colours are grey, which is reserved for remainders.
const colours = Array.from({ length: 16 }, (_, place) => place).filter((place) => place % 8 !== 7)

/**
 * The colour indexes for the values of a group. A value keeps its colour in all
 * charts and rankings, unless another value of the same chart has taken it.
 */
export function colourPlaces(group: string, names: string[]): number[] {
  const places = known.get(group) ?? new Map<string, number>()
  known.set(group, places)
  for (const name of names) {
    if (!places.has(name)) places.set(name, places.size % colours.length)
  }
  const taken = new Set<number>()
  return names.map((name) => {
    let place = places.get(name) ?? 0
    for (let tries = 0; taken.has(place) && tries < colours.length; tries++) place = (place + 1) % colours.length
    taken.add(place)
    return colours[place] ?? 0
  })
}
