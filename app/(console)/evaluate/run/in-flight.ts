/** Over HTTP/1.1 browsers open six connections to a server. One is left for the rest of the page. */
const IN_FLIGHT = { http1: 5, multiplexed: 32 }

/** Returns how many requests of a run this page sends at the same time. */
export function maxInFlight(): number {
  const [page] = performance.getEntriesByType("navigation")
  const protocol = page && "nextHopProtocol" in page ? String(page.nextHopProtocol) : ""
  return /^h[23]/.test(protocol) ? IN_FLIGHT.multiplexed : IN_FLIGHT.http1
}
