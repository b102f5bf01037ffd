"use client"
import { FormProvider } from "react-hook-form"
import { PageHeader } from "@/components/ui/page-header"
import { AnswersPane } from "./answers/answers-pane"
import { Arrivals } from "./answers/arrivals"
import { BaselineBanner } from "./answers/baseline-banner"
import { RunBar } from "./answers/run-bar"
import { Panes } from "./panes"
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
            <Panes
              pane={pane}
              onPane={setPane}
              ready={ready}
              request={<RequestPane onLeave={leave} onShowJson={showJson} />}
              answers={
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
              }
            />
            <RunBar {...{ models, keys, run, ready }} rates={props.rates} onRun={submit} onStop={stop} />
          </form>
        </CostProvider>
      </RequestContext>
    </FormProvider>
  )
}
