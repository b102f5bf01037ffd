import { type MouseEvent, memo } from "react"
import { afterPaint } from "@/components/after-paint"

interface PointsTableProps {
  title: string
  head: string
  names: readonly string[]
  points: readonly { label: string; texts: readonly string[] }[]
}

/** A press is answered with a paint at once; ninety rows and more are laid out right after it. */
function holdBack({ currentTarget }: MouseEvent<HTMLElement>): void {
  const rows = currentTarget.nextElementSibling
  if (!(rows instanceof HTMLElement)) return
  rows.style.contentVisibility = "hidden"
  afterPaint(() => rows.style.removeProperty("content-visibility"))
}

/** The numbers of a chart, newest first, for those who want or need them as text. The cursor above moves without it. */
export const PointsTable = memo(function PointsTable({ title, head, names, points }: PointsTableProps) {
  return (
    <details className="text-sm">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button, by keyboard too */}
      <summary
        onClick={holdBack}
        className="w-fit rounded-sm text-ink-muted hover:text-ink pointer-coarse:-my-3 pointer-coarse:py-3"
      >
        Show as a table<span className="sr-only">: {title}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of a keyboard */}
      <section aria-label={`${title}, as a table`} tabIndex={0} className="mt-2 max-h-80 overflow-auto">
        <table className="w-full border-collapse text-left">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              {[head, ...names].map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={`sticky top-0 border-line border-b bg-bg py-1 font-medium text-ink-muted ${index > 0 ? "wrap-anywhere min-w-20 pl-3 text-right" : "whitespace-nowrap"}`}
                >
                  {/* The head sticks: a long name must leave room for the rows. */}
                  <span title={name} className="line-clamp-3">
                    {name}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.toReversed().map(({ label, texts }) => (
              <tr key={label} className="border-line border-b">
                <th scope="row" className="whitespace-nowrap py-1 font-normal">
                  {label}
                </th>
                {texts.map((text, index) => (
                  <td key={names[index]} className="whitespace-nowrap py-1 pl-3 text-right tabular-nums">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
})
