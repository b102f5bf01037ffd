"use client"
import { useEffect, useState } from "react"
import { type Band, isBand } from "@/lib/shared/playground/thresholds"

/** By question name, newest last. As a list: a name may be `__proto__`. */
const isNamed = (value: unknown): value is [name: string, band: Band] =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && isBand(value[1])
const MOST_BANDS = 300

function read(place: string): Map<string, Band> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? "[]")
    return new Map(Array.isArray(stored) && stored.every(isNamed) ? stored : [])
  } catch {
    return new Map()
  }
}

function write(place: string, bands: Map<string, Band>): void {
  try {
    localStorage.setItem(place, JSON.stringify([...bands].slice(-MOST_BANDS)))
  } catch {
    // Without room for them they hold until the page is left.
  }
}

export interface Thresholds {
  bands: Map<string, Band>
  /** Null takes a question's band away. */
  setBand: (name: string, band: Band | null) => void
}

/** The thresholds of this account's noul questions by name, kept in this browser. */
export function useThresholds(accountId: string): Thresholds {
  const [bands, setBands] = useState<Map<string, Band>>(new Map())
  const place = `playground-thresholds:${accountId}`
  useEffect(() => setBands(read(place)), [place])
  const setBand = (name: string, band: Band | null) =>
    setBands((before) => {
      const after = new Map(before)
      after.delete(name)
      if (band) after.set(name, band)
      write(place, after)
      return after
    })
  return { bands, setBand }
}
