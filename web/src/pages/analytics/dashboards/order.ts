/** Returns the list with one element moved. Unknown elements are ignored. */
export function moveTo<Element extends { id: string }>(list: Element[], id: string, place: number): Element[] {
  const moved = list.find((element) => element.id === id)
  if (moved === undefined || place < 0 || place >= list.length) return list
  const rest = list.filter((element) => element.id !== id)
  return [...rest.slice(0, place), moved, ...rest.slice(place)]
}
