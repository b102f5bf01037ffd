"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { recordExamples } from "@/lib/server/decisions/record-examples"
import { moveAlias } from "@/lib/server/models/alias"
import { cancelMove, planMove } from "@/lib/server/models/plan-move"
import { probeModel } from "@/lib/server/models/report-models"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits, setPrice } from "@/lib/server/models/set-model"
import {
  ModelLimitsForm,
  ModelPriceForm,
  Nothing,
  OneModel,
  PlanMoveForm,
  RetireModelForm,
} from "@/lib/shared/operator/forms"

export const probeModelAction = operatorAction(OneModel, probeModel)

export const recordExamplesAction = operatorAction(OneModel, recordExamples)

export const setPriceAction = operatorAction(ModelPriceForm, (runtime, operator, { id, priceUsd }) =>
  setPrice(runtime, operator, { id, pricePico: priceUsd }),
)

export const setLimitsAction = operatorAction(ModelLimitsForm, setLimits)

export const moveAliasAction = operatorAction(OneModel, (runtime, operator, { id }) =>
  moveAlias(runtime, operator, { toId: id }),
)

export const planMoveAction = operatorAction(PlanMoveForm, (runtime, operator, { id, on, noticeDays }) =>
  planMove(runtime, operator, { toId: id, on, noticeDays }),
)

export const cancelMoveAction = operatorAction(Nothing, (runtime, operator) => cancelMove(runtime, operator))

export const retireModelAction = operatorAction(RetireModelForm, (runtime, operator, { id, replacementId }) =>
  retireModel(runtime, operator, { id, replacementId: replacementId || null }),
)
