"use client"
import { type FormEvent, useSyncExternalStore } from "react"
import { afterPaint } from "@/components/timing/after-paint"
import { THEME_COOKIE, type Theme, themeOf } from "@/lib/shared/preferences"

/**
 * Saves a theme in this browser and shows it after the next paint, because every element changes. Sends no request: in a tab whose
 * account was switched elsewhere, the server would redirect it to `/open`.
 */
export function chooseTheme(theme: Theme): void {
  const secure = window.location.protocol === "https:" ? "; secure" : ""
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available on pages without TLS
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=31536000; samesite=lax${secure}`
  afterPaint(() => {
    if (theme === "system") delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  })
}

/** Chooses the theme of the pressed button in place of the form's server action, which serves browsers without JavaScript. */
export function submitTheme(event: FormEvent<HTMLFormElement>): void {
  event.preventDefault()
  const { submitter } = event.nativeEvent as SubmitEvent
  chooseTheme(themeOf(submitter?.getAttribute("value")))
}

function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] })
  return () => observer.disconnect()
}

/** Returns the chosen theme. The server renders `saved`, the cookie's theme, and undefined without it. */
export const useTheme = (saved?: Theme): Theme | undefined =>
  useSyncExternalStore<Theme | undefined>(
    watchTheme,
    () => themeOf(document.documentElement.dataset.theme),
    () => saved,
  )
