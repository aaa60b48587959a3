/** The places of names in the palette, by what they are values of: models, prompts, the values of a key. */
const known = new Map<string, Map<string, number>>()

const colours = 16

/**
 * The numbers of the colours for these values of a group. A value keeps its
 * colour in all charts and however they are ranked, unless another value of
 * the same chart has taken it.
 */
export function colourPlaces(group: string, names: string[]): number[] {
  const places = known.get(group) ?? new Map<string, number>()
  known.set(group, places)
  for (const name of names) {
    if (!places.has(name)) places.set(name, places.size % colours)
  }
  const taken = new Set<number>()
  return names.map((name) => {
    let place = places.get(name) ?? 0
    for (let tries = 0; taken.has(place) && tries < colours; tries++) place = (place + 1) % colours
    taken.add(place)
    return place
  })
}
