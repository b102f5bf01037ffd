import type { IncomingMessage } from "node:http"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { Catalogue } from "@/lib/server/models/catalogue"
import { clientBlock } from "@/lib/server/platform/client-address"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"

/** Counts a request for models under its client's address. Throws `rate_limited`, and `model_unavailable` without a list. */
export async function freshCatalogue(request: IncomingMessage): Promise<Catalogue> {
  const { catalogue, env } = runtime()
  await requireWithinRate(runtime(), "models", clientBlock(request, env.TRUSTED_PROXY_HOPS))
  if (!catalogue.fresh) throw new ServiceError("model_unavailable", { message: "The model list cannot be loaded." })
  return catalogue
}
