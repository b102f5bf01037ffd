import { DEFAULT_NAME } from "@/lib/server/platform/brand-settings"
import type { Env } from "@/lib/server/platform/env"
import { escapeHtml } from "@/lib/server/platform/escape-html"
import type { MailMessage } from "./mailer"

/** The sender's name as it appears in sentences, and the colour of the message's button. */
export interface MailBrand {
  name: string
  color: string
}

export const BUILT_IN: MailBrand = { name: "the decision service", color: "#2f4db5" }

export const mailBrand = ({ SERVICE_NAME, accent }: Pick<Env, "SERVICE_NAME" | "accent">): MailBrand => ({
  name: SERVICE_NAME === DEFAULT_NAME ? BUILT_IN.name : SERVICE_NAME,
  color: accent?.light.accent ?? BUILT_IN.color,
})

export interface MailParts {
  title: string
  /** The heading of the HTML part. By default the title. */
  heading?: string
  /** What the link does. A colon and the link follow. */
  intro: string
  action: { label: string; link: string }
  terms: string
  footnote: string
}

// Every mail program supports tables and inline styles. The style sheet is for those that support dark mode.
const DARK = `@media (prefers-color-scheme: dark) {
  body, .page { background: #16181d !important; }
  .card { background: #1f2229 !important; border-color: #363a44 !important; }
  .ink { color: #eeeeec !important; }
  .muted { color: #a9adb8 !important; }
}`

/** Renders a message with one link as plain text and as HTML, without images, tracking or remote content. Its subject is the title. */
export function renderMail(to: string, parts: MailParts, { color }: MailBrand = BUILT_IN): MailMessage {
  const { title, heading = title, intro, terms, footnote, action } = parts
  const [link, label] = [escapeHtml(action.link), escapeHtml(action.label)]
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${DARK}</style>
</head>
<body style="margin:0;padding:0;background:#f6f6f4">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f6f6f4">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;background:#ffffff;border:1px solid #e2e2df;border-radius:8px">
<tr><td style="padding:28px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:24px">
<h1 class="ink" style="margin:0 0 12px;color:#1c1e24;font-size:20px;line-height:28px;font-weight:600;word-break:break-word">${escapeHtml(heading)}</h1>
<p class="ink" style="margin:0 0 20px;color:#1c1e24;word-break:break-word">${escapeHtml(intro)}:</p>
<p style="margin:0 0 20px"><a href="${link}" style="display:inline-block;padding:11px 20px;border-radius:6px;background:${color};color:#ffffff;text-decoration:none;font-weight:600">${label}</a></p>
<p class="muted" style="margin:0 0 20px;color:#555a66;font-size:14px;line-height:20px">${escapeHtml(terms)}</p>
<p class="muted" style="margin:0 0 20px;color:#555a66;font-size:14px;line-height:20px">If the button does not work, copy this link into your browser:<br><span style="word-break:break-all">${link}</span></p>
<p class="muted" style="margin:0;color:#555a66;font-size:14px;line-height:20px">${escapeHtml(footnote)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  return { to, subject: title, text: `${intro}:\n\n${action.link}\n\n${terms}\n\n${footnote}\n`, html }
}
