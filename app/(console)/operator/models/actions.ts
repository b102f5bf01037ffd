"use server"
import { operatorAction } from "@/lib/server/auth/user-action"
import { recordExamples } from "@/lib/server/decisions/record-examples"
import { moveAlias } from "@/lib/server/models/alias"
import { announceAlias } from "@/lib/server/models/alias-announcement"
import { probeModel } from "@/lib/server/models/report-models"
import { retireModel } from "@/lib/server/models/retire-model"
import { setLimits, setPrice } from "@/lib/server/models/set-model"
import {
  AnnounceAliasForm,
  ModelLimitsForm,
  ModelPriceForm,
  OneModel,
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

export const announceAliasAction = operatorAction(AnnounceAliasForm, (runtime, operator, { id, on }) =>
  announceAlias(runtime, operator, { toId: id, on }),
)

export const retireModelAction = operatorAction(RetireModelForm, (runtime, operator, { id, replacementId }) =>
  retireModel(runtime, operator, { id, replacementId: replacementId || null }),
)
