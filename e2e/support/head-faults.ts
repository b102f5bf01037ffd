export interface Answer {
  asked: string
  status: number
  headers: Headers
  text: string
}

/** Returns the faults of a page's security headers, and of its scripts and styles. */
export function headFaults({ asked, headers, text }: Answer): string[] {
  const csp = headers.get("content-security-policy") ?? ""
  const scripts = /script-src ([^;]*)/.exec(csp)?.[1] ?? ""
  const nonce = /'nonce-([^']+)'/.exec(scripts)?.[1] ?? "none"
  const faults = [
    [/unsafe-inline|unsafe-eval/.test(csp) || nonce === "none", "the policy allows inline scripts"],
    [!csp.includes("frame-ancestors 'none'") || headers.get("x-frame-options") !== "DENY", "can be framed"],
    [!csp.includes("base-uri 'none'") || !csp.includes("object-src 'none'"), "the policy allows a base or an object"],
    [headers.get("referrer-policy") !== "same-origin", "sends a referrer to other origins"],
    [headers.get("cross-origin-opener-policy") !== "same-origin", "shares its window with other origins"],
    [!headers.get("permissions-policy")?.includes("camera=()"), "may ask for the camera"],
    [headers.get("x-content-type-options") !== "nosniff", "its content type can be sniffed"],
    [!/\bno-store\b/.test(headers.get("cache-control") ?? ""), `cached: ${headers.get("cache-control")}`],
    [headers.has("x-powered-by"), "names its framework"],
    [
      (text.match(/<script\b[^>]*>/g) ?? []).some((tag) => !tag.includes(`nonce="${nonce}"`)),
      "a script without the nonce",
    ],
    [
      /<[a-z][^>]* (?:style|on[a-z]+)="/.test(text.replace(/<script\b[\s\S]*?<\/script>/g, "")),
      "a style or script attribute",
    ],
  ] as const
  return faults.filter(([is]) => is).map(([, what]) => `${asked.slice(0, 80)}: ${what}`)
}
