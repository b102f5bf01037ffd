"use client"
import { useEffect, useEffectEvent, useRef } from "react"
import { isModalOpen } from "@/components/ui/is-modal-open"
import { takeTopUp } from "@/lib/shared/billing/playground-top-up"
import { writeStored } from "@/lib/shared/browser-storage"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { limitsOf } from "@/lib/shared/runs/model-choice"
import { storableThresholds } from "@/lib/shared/runs/thresholds"
import { takeHandover } from "@/lib/shared/share-link/take-handover"
import { writeDraft } from "./draft"
import { withKnownModel } from "./json-view"
import { readLastAnswer } from "./last-answer"
import { sharedOf } from "./playground-state"
import { useAccount, usePlayground, usePlaygroundStore } from "./playground-store"
import { restoreStored, thresholdsKey } from "./restore-stored"
import { storeSharedNotice } from "./shared-notice"
import { useTokenCount } from "./use-token-count"

/** Errors, hints, the draft and the token count are updated once typing has paused for this long. */
const PAUSE_MS = 400

/**
 * Runs the playground's effects and renders nothing. It comes after the panes: when the page closes, their editors hand over
 * their text before the draft is saved.
 */
export function PlaygroundEffects({ onRun }: { onRun: () => void }) {
  useOpening()
  useTypingPause()
  useReplacedSaving()
  useDraftSaving()
  useThresholdSaving()
  useTokenCount()
  useRunShortcut(onRun)
  return null
}

/**
 * Restores the draft, unless the store began with it. Then opens a shared request or, without one, shows the last answer and a
 * notice of a top-up. Nothing runs by itself.
 */
function useOpening(): void {
  const account = useAccount()
  const { accountId, models } = account
  const { dispatch, getState } = usePlaygroundStore()
  const isOpened = useRef(false)
  const open = useEffectEvent(() => {
    // Before a shared request, whose thresholds replace the stored ones of the same names.
    if (!getState().isReady) restoreStored(account, dispatch)
    const shared = takeHandover()
    const checked = shared === null ? null : checkRequest(new TextEncoder().encode(shared.requestText))
    if (shared && checked?.ok) {
      const opened = withKnownModel(shared.requestText, checked.request.model, models)
      dispatch({ type: "shared_request_opened", ...opened, thresholds: shared.thresholds })
      // The last answer belongs to another request.
      return
    }
    if (takeTopUp(accountId)) dispatch({ type: "topped_up" })
    readLastAnswer(accountId, models).then(
      (last) => last && dispatch({ type: "answer_restored", ...last }),
      () => undefined,
    )
  })
  useEffect(() => {
    if (isOpened.current) return
    isOpened.current = true
    open()
  }, [])
}

function useTypingPause(): void {
  const { models } = useAccount()
  const { dispatch, getState } = usePlaygroundStore()
  const revision = usePlayground(({ request }) => request.revision)
  const pause = useEffectEvent(() =>
    dispatch({ type: "typing_paused", limits: limitsOf(models, getState().request.form.model) }),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the delay again
  useEffect(() => {
    const timer = setTimeout(pause, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [revision])
}

/** Stores what a shared request replaced at once, because the draft is overwritten at the next pause. */
function useReplacedSaving(): void {
  const { accountId } = useAccount()
  const isReady = usePlayground((state) => state.isReady)
  const shared = usePlayground((state) => sharedOf(state.notice))
  useEffect(() => {
    if (isReady) storeSharedNotice(accountId, shared)
  }, [accountId, isReady, shared])
}

function useDraftSaving(): void {
  const { accountId } = useAccount()
  const { dispatch, getState } = usePlaygroundStore()
  const isReady = usePlayground((state) => state.isReady)
  const isJson = usePlayground(({ request }) => request.json !== null)
  const revision = usePlayground(({ request }) => request.settledRevision)
  const save = useEffectEvent(() => {
    const { form, json } = getState().request
    dispatch({ type: "draft_saved", isSaved: writeDraft(accountId, { form, json: json?.text ?? null }) })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: saves after every pause in typing
  useEffect(() => {
    if (isReady) save()
  }, [isReady, revision])
  // Listens again in each view: listeners run in the order they were added, and the view's editor has to be first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!isReady) return
    const saveNow = () => save()
    window.addEventListener("pagehide", saveNow)
    return () => {
      saveNow()
      window.removeEventListener("pagehide", saveNow)
    }
  }, [isReady, isJson])
}

function useThresholdSaving(): void {
  const { accountId } = useAccount()
  const thresholds = usePlayground((state) => state.thresholds)
  const key = thresholdsKey(accountId)
  const isFirst = useRef(true)
  useEffect(() => {
    // The first map is the stored one, or the empty one from before it was read.
    if (!isFirst.current) writeStored(key, storableThresholds(thresholds))
    isFirst.current = false
  }, [key, thresholds])
}

function useRunShortcut(onRun: () => void): void {
  const run = useEffectEvent(onRun)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.repeat) return
      // A run costs money. Behind the share dialog nobody would see it.
      if (isModalOpen()) return
      event.preventDefault()
      run()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
}
