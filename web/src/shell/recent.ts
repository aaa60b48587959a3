/** A recently visited page: its address and title. */
export interface RecentPlace {
  href: string
  title: string
}

const kept = 20

/** Adds a place to the front of the list and removes an older entry for the same page. */
export function withPlace(places: RecentPlace[], place: RecentPlace): RecentPlace[] {
  const same = pageOf(place.href)
  return [place, ...places.filter(({ href }) => pageOf(href) !== same)].slice(0, kept)
}

/** What identifies a place: the page, and the request open on it. */
function pageOf(href: string): string {
  const url = new URL(href, 'http://app')
  const request = url.searchParams.get('request')
  return request === null ? url.pathname : `${url.pathname}?request=${request}`
}

/**
 * The place for an address and page title, or null for a list page, which the
 * palette offers anyway.
 */
export function placeOf(href: string, title: string): RecentPlace | null {
  const url = new URL(href, 'http://app')
  const [, area, thing] = url.pathname.split('/').filter((part) => part !== '')
  if (area === undefined || area === 'settings') return null
  const request = url.searchParams.get('request')
  if (area === 'requests' && request !== null) return { href: `${url.pathname}?request=${request}`, title: `Request ${request}` }
  if (thing === undefined) return null
  const name = title.replace(/ · Promptuary$/, '')
  return name === '' || name === 'Promptuary' ? null : { href, title: name }
}

function keyOf(workspace: number): string {
  return `promptuary.recent.${workspace}`
}

export function readRecent(workspace: number): RecentPlace[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(workspace)) ?? '[]')
    return Array.isArray(value) ? value.filter(isPlace) : []
  } catch {
    return []
  }
}

export function rememberPlace(workspace: number, place: RecentPlace): void {
  try {
    localStorage.setItem(keyOf(workspace), JSON.stringify(withPlace(readRecent(workspace), place)))
  } catch {
    // Without storage, recent places are not kept.
  }
}

function isPlace(value: unknown): value is RecentPlace {
  const place = value as Partial<RecentPlace> | null
  return typeof place?.href === 'string' && place.href.startsWith('/') && typeof place.title === 'string'
}
