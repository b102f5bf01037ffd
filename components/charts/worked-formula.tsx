interface WorkedFormulaProps {
  title: string
  formula: string
  /** The formula with numbers, one step per line. */
  steps: string[]
  meaning: string
}

export function WorkedFormula({ title, formula, steps, meaning }: WorkedFormulaProps) {
  return (
    <details className="text-sm">
      <summary className="inline-block rounded-sm text-ink-muted underline decoration-line-strong underline-offset-2 hover:text-ink pointer-coarse:py-3">
        {title}
      </summary>
      <div className="mt-2 flex max-w-text flex-col gap-2 text-ink-muted">
        <p>{meaning}</p>
        <p>{formula}</p>
        <ol className="rounded-md bg-sunken px-3 py-2 font-mono text-ink text-xs leading-5">
          {steps.map((step) => (
            <li key={step} className="break-words">
              {step}
            </li>
          ))}
        </ol>
      </div>
    </details>
  )
}
