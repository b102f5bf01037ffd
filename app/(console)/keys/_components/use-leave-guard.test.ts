import { describe, expect, test } from "vitest"
import { holdBack } from "./use-leave-guard"

/** Begins navigations like a browser. Returns which of them were cancelled. */
function navigate(navigation: Navigation, navigations: { type: NavigationType; cancelable: boolean }[]): boolean[] {
  return navigations.map(({ type, cancelable }) => {
    const event = new Event("navigate", { cancelable })
    return !navigation.dispatchEvent(Object.assign(event, { navigationType: type }))
  })
}

const BACK = { type: "traverse", cancelable: true } as const

describe("while a secret is not copied", () => {
  test("Back is cancelled and asks each time, and works again once the guard is released", () => {
    const navigation = new EventTarget() as Navigation
    let asked = 0
    const release = holdBack(navigation, () => void asked++)
    expect(navigate(navigation, [BACK, BACK])).toEqual([true, true])
    expect(asked).toBe(2)
    release()
    expect(navigate(navigation, [BACK])).toEqual([false])
    expect(asked).toBe(2)
  })

  test("a Back that cannot be cancelled and every other navigation proceed", () => {
    const navigation = new EventTarget() as Navigation
    let asked = 0
    holdBack(navigation, () => void asked++)
    const others = (["push", "replace", "reload"] as const).map((type) => ({ type, cancelable: true }))
    expect(navigate(navigation, [{ ...BACK, cancelable: false }, ...others])).toEqual([false, false, false, false])
    expect(asked).toBe(0)
  })

  test("nothing happens in a browser without the Navigation API", () => {
    expect(() => holdBack(undefined, () => {})()).not.toThrow()
  })
})
