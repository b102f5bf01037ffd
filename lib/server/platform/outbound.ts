import type { Agent as HttpAgent } from "node:http"
import { HttpsProxyAgent } from "https-proxy-agent"
import ipaddr from "ipaddr.js"
import { Agent, type Dispatcher, Pool, ProxyAgent, fetch as undiciFetch } from "undici"
import type { Env } from "./env"

type ProxySettings = Pick<Env, "HTTPS_PROXY" | "NO_PROXY">

/** Returns whether an entry of `NO_PROXY` covers a host: a name and its subdomains, an address, a range, or `*`. A port may follow. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true
  const [, named = "", entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\[(.*)\]/, "$1")) ?? []
  // The colons of an IPv6 address are part of it.
  const [name, wanted] = ipaddr.isValid(entry) ? [entry, undefined] : [named, entryPort]
  if (wanted !== undefined && wanted !== port) return false
  if (ipaddr.isValid(host) && ipaddr.isValidCIDR(name)) {
    const [range, address] = [ipaddr.parseCIDR(name), ipaddr.process(host)]
    return range[0].kind() === address.kind() && address.match(range)
  }
  const domain = name.replace(/^\*?\./, "").toLowerCase()
  return host === domain || host.endsWith(`.${domain}`)
}

/**
 * Returns the proxy for a request to an address, which is the only place that decides it. Null for a direct connection: without
 * `HTTPS_PROXY`, for `http://`, which is for networks of the operator's own, and for what `NO_PROXY` names.
 */
export function proxyFor({ HTTPS_PROXY, NO_PROXY = "" }: ProxySettings, address: string | URL): string | null {
  const { protocol, hostname, port } = new URL(address)
  if (!HTTPS_PROXY || protocol !== "https:") return null
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase()
  const entries = NO_PROXY.split(/[\s,]+/).filter((entry) => entry !== "")
  return entries.some((entry) => covers(entry, host, port || "443")) ? null : HTTPS_PROXY
}

/** Returns the dispatcher that reaches each origin, also of a redirect, through the proxy that `proxyFor` names. */
const dispatcherOf = (settings: ProxySettings): Dispatcher =>
  new Agent({
    factory: (origin, options) => {
      const uri = proxyFor(settings, origin)
      return uri === null ? new Pool(origin, options) : new ProxyAgent({ uri })
    },
  })

/** Returns `fetch` for addresses outside of the operator's network. It is Node's own without `HTTPS_PROXY`. */
export function outboundFetch(settings: ProxySettings): typeof fetch {
  if (!settings.HTTPS_PROXY) return (input, init) => fetch(input, init)
  const dispatcher = dispatcherOf(settings)
  const proxied = (input: Parameters<typeof undiciFetch>[0], init?: Parameters<typeof undiciFetch>[1]) =>
    undiciFetch(input, { ...init, dispatcher })
  return proxied as unknown as typeof fetch
}

/** Returns the agent with which a library of `node:https` reaches an address through its proxy. Undefined for a direct connection. */
export function outboundAgent(settings: ProxySettings, address: string): HttpAgent | undefined {
  const proxy = proxyFor(settings, address)
  return proxy === null ? undefined : new HttpsProxyAgent(proxy)
}
