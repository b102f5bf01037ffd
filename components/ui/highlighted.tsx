import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import json from "highlight.js/lib/languages/json"
import python from "highlight.js/lib/languages/python"
import typescript from "highlight.js/lib/languages/typescript"

hljs.registerLanguage("bash", bash)
hljs.registerLanguage("json", json)
hljs.registerLanguage("python", python)
hljs.registerLanguage("typescript", typescript)

interface HighlightedProps {
  code: string
  /** `bash`, `json`, `python` or `typescript`. Other code is shown plain. */
  language: string
}

/** Code with highlighted syntax. Only for server components, so that the highlighter stays out of the browser. */
export function Highlighted({ code, language }: HighlightedProps) {
  if (!hljs.getLanguage(language)) return code
  const { value } = hljs.highlight(code, { language })
  // biome-ignore lint/security/noDangerouslySetInnerHtml: highlight.js escapes the code
  return <span dangerouslySetInnerHTML={{ __html: value }} />
}
