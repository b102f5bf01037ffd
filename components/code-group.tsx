import { type SnippetLanguage, snippetLanguageOf } from "@/lib/shared/preferences"
import { LanguageTabs } from "./language-tabs"
import { CodeBlock } from "./ui/code-block"
import { Highlighted } from "./ui/highlighted"

interface Snippet {
  language: string
  title: string
  code: string
}

function Code({ title, code, language }: Snippet) {
  return (
    <CodeBlock label={title} code={code} className="min-w-0">
      <Highlighted code={code} language={language} />
    </CodeBlock>
  )
}

export function CodeGroup({ snippets, language }: { snippets: Snippet[]; language: SnippetLanguage }) {
  const [only] = snippets
  if (only && snippets.length === 1) return <Code {...only} />
  const panels = snippets.map((snippet) => ({
    language: snippetLanguageOf(snippet.language),
    panel: <Code {...snippet} />,
  }))
  const offered = panels.map((panel) => panel.language)
  return <LanguageTabs panels={panels} chosen={offered.includes(language) ? language : offered[0]} />
}
