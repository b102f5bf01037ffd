"use client"
import clsx from "clsx"
import { FormProvider } from "react-hook-form"
import { PageHeader } from "@/components/ui/page-header"
import { AnswersPane } from "./answers/answers-pane"
import { Arrivals } from "./answers/arrivals"
import { BaselineBanner } from "./answers/baseline-banner"
import { RunBar } from "./answers/run-bar"
import { PaneTabs } from "./pane-tabs"
import { CostProvider } from "./request/cost-context"
import { RequestContext } from "./request/request-context"
import { RequestPane } from "./request/request-pane"
import { type PlaygroundProps, usePlayground } from "./use-playground"

/** A decision request on the left, its answers on the right. */
export function Playground(props: PlaygroundProps) {
  const { models, keys } = props
  const playground = usePlayground(props)
  const { form, side, said, ready, kept, pane, setPane, leave, showJson, showField, fieldOf, run, submit, stop } =
    playground
  return (
    <FormProvider {...form}>
      <RequestContext value={side}>
        <CostProvider balanceUsd={props.balanceUsd} ready={ready}>
          <form
            noValidate
            onSubmit={(event) => event.preventDefault()}
            className="flex flex-col lg:h-[calc(100dvh-4rem)] lg:min-h-140"
          >
            <PageHeader title="Playground">
              Ask questions about a state and read the probabilities.
              {kept ? null : " This draft is too long for the browser to keep: a reload loses it."}
            </PageHeader>
            <p role="status" className="sr-only">
              {said}
            </p>
            <BaselineBanner models={models} />
            <Arrivals
              accountId={props.accountId}
              balanceUsd={props.balanceUsd}
              models={models}
              ready={ready}
              onRun={submit}
            />
            <PaneTabs pane={pane} onPane={setPane} />
            <div className="grid min-h-0 flex-1 lg:grid-cols-2 lg:divide-x lg:divide-line lg:border-line lg:border-t">
              <fieldset
                id="pane-request"
                disabled={!ready}
                aria-label="Request"
                className={clsx(
                  "relative flex min-w-0 flex-col gap-6 py-5 lg:-ml-1 lg:overflow-y-auto lg:pr-6 lg:pl-1",
                  pane === "answers" && "max-lg:hidden",
                )}
              >
                <RequestPane onLeave={leave} onShowJson={showJson} />
              </fieldset>
              <section
                id="pane-answers"
                aria-label="Answers"
                className={clsx(
                  "relative min-w-0 py-5 lg:overflow-y-auto lg:pl-6",
                  pane === "request" && "max-lg:hidden",
                )}
              >
                <AnswersPane
                  accountId={props.accountId}
                  baseUrl={props.baseUrl}
                  models={models}
                  run={run}
                  onRun={submit}
                  onRestored={() => setPane("request")}
                  onShowField={showField}
                  fieldOf={fieldOf}
                />
              </section>
            </div>
            <RunBar
              models={models}
              keys={keys}
              rates={props.rates}
              run={run}
              ready={ready}
              onRun={submit}
              onStop={stop}
            />
          </form>
        </CostProvider>
      </RequestContext>
    </FormProvider>
  )
}
