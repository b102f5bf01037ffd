"use client"
import clsx from "clsx"
import { type ReactNode, useId } from "react"
import { afterPaint } from "@/components/overlay"
import { LANGUAGE_COOKIE, type SnippetLanguage as Language } from "@/lib/shared/preferences"

interface LanguageTabsProps {
  panels: { language: Language; panel: ReactNode }[]
  chosen: Language | undefined
}

const NAMES: Record<Language, string> = { bash: "curl", typescript: "TypeScript", python: "Python", go: "Go" }

const SHOWN: Record<Language, string> = {
  bash: "group-has-[[value=bash]:checked]/languages:block",
  typescript: "group-has-[[value=typescript]:checked]/languages:block",
  python: "group-has-[[value=python]:checked]/languages:block",
  go: "group-has-[[value=go]:checked]/languages:block",
}

/** Saves the language for later pages, and selects it in the page's other groups after the paint of the pressed one. */
function choose(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available over http
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=31536000; samesite=lax`
  afterPaint(() => {
    for (const input of document.querySelectorAll<HTMLInputElement>(`input[data-language="${language}"]`))
      input.checked = true
  })
}

/**
 * Shows the same code in several languages. Radio buttons and CSS switch between them; JavaScript only saves the
 * choice.
 */
export function LanguageTabs({ panels, chosen }: LanguageTabsProps) {
  const name = useId()
  return (
    <fieldset className="group/languages flex min-w-0 flex-col gap-2">
      <legend className="sr-only">Language of this code</legend>
      <div className="flex gap-1">
        {panels.map(({ language }) => (
          <label
            key={language}
            className="relative inline-flex h-8 items-center rounded-md px-2.5 font-medium text-ink-muted text-sm hover:bg-sunken hover:text-ink has-checked:bg-accent-soft has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 pointer-coarse:h-11 pointer-coarse:px-3.5"
          >
            <input
              type="radio"
              name={name}
              value={language}
              data-language={language}
              defaultChecked={language === chosen}
              onChange={() => choose(language)}
              className="sr-only"
            />
            {NAMES[language]}
          </label>
        ))}
      </div>
      {panels.map(({ language, panel }) => (
        <div key={language} className={clsx("hidden min-w-0", SHOWN[language])}>
          {panel}
        </div>
      ))}
    </fieldset>
  )
}
