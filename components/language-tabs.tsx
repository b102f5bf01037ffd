"use client"
import clsx from "clsx"
import { type ReactNode, useId } from "react"
import { afterPaint } from "@/components/timing/after-paint"
import { LANGUAGE_COOKIE, type SnippetLanguage as Language } from "@/lib/shared/preferences"

interface LanguageTabsProps {
  panels: { language: Language; panel: ReactNode }[]
  chosen: Language | undefined
}

const NAMES: Record<Language, string> = { bash: "curl", typescript: "TypeScript", python: "Python", go: "Go" }

/** Shows the code of the checked radio button, or of `data-shown` once a script has set that. */
const SHOWN: Record<Language, string> = {
  bash: "group-not-data-shown/languages:group-has-[[value=bash]:checked]/languages:block group-data-[shown=bash]/languages:block",
  typescript:
    "group-not-data-shown/languages:group-has-[[value=typescript]:checked]/languages:block group-data-[shown=typescript]/languages:block",
  python:
    "group-not-data-shown/languages:group-has-[[value=python]:checked]/languages:block group-data-[shown=python]/languages:block",
  go: "group-not-data-shown/languages:group-has-[[value=go]:checked]/languages:block group-data-[shown=go]/languages:block",
}

const groupOf = (input: HTMLInputElement) => input.closest("fieldset") as HTMLFieldSetElement

/** Saves the language for later pages. Once the selected button is painted, every group of the page shows that language. */
function choose(pressed: HTMLInputElement, shown: Language | undefined, language: Language): void {
  groupOf(pressed).dataset.shown ??= shown
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available over http
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=31536000; samesite=lax`
  afterPaint(() => {
    for (const input of document.querySelectorAll<HTMLInputElement>(`input[data-language="${language}"]`)) {
      input.checked = true
      groupOf(input).dataset.shown = language
    }
  })
}

/**
 * Shows the same code in several languages. Radio buttons and CSS switch between them, so this works without JavaScript. With it,
 * the choice is saved and holds for the whole page.
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
              onChange={({ target }) => choose(target, chosen, language)}
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
