import type { Tokens } from "marked"
import { CodeGroup } from "@/components/code-group"
import { RunInPlayground } from "@/components/run-in-playground"
import { findRequestText, snippetOf } from "@/lib/server/docs/parse"
import type { SnippetLanguage } from "@/lib/shared/preferences"
import { writeShare } from "@/lib/shared/share-link/share-link"

interface SnippetsProps {
  tokens: Tokens.Code[]
  language: SnippetLanguage
}

/** Renders the same code in several languages, and a link that opens its request in the playground. */
export async function Snippets({ tokens, language }: SnippetsProps) {
  const snippets = tokens.map(snippetOf)
  const requestText = findRequestText(snippets)
  const fragment =
    requestText === null ? null : await writeShare({ requestText, responseText: null, thresholds: new Map() })
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <CodeGroup snippets={snippets} language={language} />
      {requestText !== null && fragment !== null ? (
        <RunInPlayground requestText={requestText} shareHref={`/share#${fragment}`} />
      ) : null}
    </div>
  )
}
