/** The attribute of the document that holds the id of the request for it. */
export const REQUEST_ID_ATTRIBUTE = "data-request-id"

/** The header in which the edge names a request of the console. */
export const REQUEST_ID_HEADER = "x-svc-request-id"

/** The entry of the header `Server-Timing` whose description is the id of the request. */
export const REQUEST_ID_TIMING = "request"

/** The ids of the latest requests for each page of this tab, by its address. */
const ids = new Map<string, string>()

function addressOf(url: URL): string {
  const query = new URLSearchParams(url.search)
  query.delete("_rsc")
  return `${url.pathname}?${query}`
}

/** The type of Next's responses with a page's content. */
const PAGE_TYPE = "text/x-component"

/** Notes the id of every page that this tab requests with `fetch`, as Next does after the first page. A redirect's is that of its target. */
export function noteRequestIds(): void {
  const send = window.fetch
  window.fetch = async (input, init) => {
    const response = await send(input, init)
    const id = response.headers.get("x-request-id")
    const isPage = response.headers.get("content-type")?.startsWith(PAGE_TYPE)
    if (id && isPage) ids.set(addressOf(new URL(response.url)), id)
    return response
  }
}

/**
 * Returns the id that the document's response named. Null in a browser that does not let the page read the header: some have no
 * `serverTiming` unless the page came with TLS, and older ones never.
 */
function requestIdOfResponse(): string | null {
  const [document] = performance.getEntriesByType("navigation") as Partial<PerformanceNavigationTiming>[]
  return document?.serverTiming?.find(({ name }) => name === REQUEST_ID_TIMING)?.description ?? null
}

/**
 * Returns the id of the request for the page at the tab's address, as the server logged it. Null if it is unknown. A document whose
 * root layout failed has no attribute.
 */
export function requestIdOfPage(): string | null {
  const id = ids.get(addressOf(new URL(window.location.href)))
  return id ?? document.documentElement.getAttribute(REQUEST_ID_ATTRIBUTE) ?? requestIdOfResponse()
}
