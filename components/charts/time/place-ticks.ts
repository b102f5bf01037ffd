/** So many labels fit under an axis on a phone. */
const MOST = 4

/** Labels under an axis: the first point, the last, and some at even steps between. */
export function placeTicks(count: number, text: (place: number) => string): { place: number; text: string }[] {
  const places = new Set<number>()
  const steps = Math.min(MOST, count) - 1
  for (let step = 0; step <= steps; step++) places.add(steps > 0 ? Math.round((step * (count - 1)) / steps) : 0)
  return [...places].map((place) => ({ place, text: text(place) }))
}
