import { existsSync } from "node:fs"
import { ALIAS, FIRST_DECIDER, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { NewModelId } from "@/lib/shared/operator/forms"
import { filled, gguf, oneOf, origin, whole } from "./setting-values"

/** The settings of the engine of a first start, whether at an address or in the service itself. */
export const engineSettings = {
  ENGINE_URL: origin
    .optional()
    .meta({ fallback: "keyword scorer", description: "The address of your engine, without `/v1`" }),
  ENGINE_GGUF: gguf
    .optional()
    .describe(
      "A GGUF file, `hf:OWNER/REPO`, `hf:OWNER/REPO:FILE` or `hf:OWNER/REPO@COMMIT:FILE`: the service runs the model itself. See [Engines](engines.md#in-the-service-itself)",
    ),
  ENGINE_GPU: oneOf("cuda", "vulkan", "metal").optional().meta({
    fallback: "the processor computes",
    description: "`cuda`, `vulkan` or `metal` for `ENGINE_GGUF`: also installs the packages that this needs",
  }),
  ENGINE_THREADS: whole(1, 512).optional().meta({
    fallback: "all processors, less one where there are more than two",
    description: "How many threads compute for `ENGINE_GGUF`",
  }),
  HF_ENDPOINT: origin.default("https://huggingface.co").describe("The hub from which `hf:` models are downloaded"),
  ENGINE_ID: filled
    .refine((id) => NewModelId.safeParse(id).success, "must have only lower-case letters, digits, '.', '_' and '-'")
    .refine((id) => id !== ALIAS && id !== LEXICAL_BASELINE, "must not be an id that the service uses itself")
    .optional()
    .meta({ fallback: `\`${FIRST_DECIDER}\``, description: "The id of the model at `ENGINE_URL`" }),
  ENGINE_MODEL: filled
    .optional()
    .meta({ fallback: "the only model it serves", description: "The name under which the engine serves the model" }),
  ENGINE_KIND: oneOf("system-one", "labels")
    .default("system-one")
    .describe("`labels` reads an ordinary chat model on vLLM, SGLang or llama.cpp by its labels"),
  ENGINE_API_KEY: filled.optional().describe("Sent to that engine only"),
  ENGINE_TOKENIZER: filled
    .refine((folder) => existsSync(folder), "must be a folder that exists")
    .optional()
    .meta({
      fallback: "the engine's tokenizer, else bytes",
      description: "A folder with the model's `tokenizer.json`",
    }),
}
