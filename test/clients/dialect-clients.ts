import { type ClientPackage, KEY } from "./register"

const OPENROUTER_BASE = "{{base_url}}/api"
const OPENAI_BASE = "{{base_url}}/openai/v1"
const OPENAI = { OPENAI_BASE_URL: OPENAI_BASE, OPENAI_API_KEY: KEY }

/** The packages that speak OpenRouter's API and that programs of the tests run. */
export const OPENROUTER_CLIENTS: readonly ClientPackage[] = [
  {
    name: "openrouter",
    version: "1.3.84",
    set: { OPENROUTER_API_KEY: KEY },
    inCode: { server_url: `${OPENROUTER_BASE}/v1` },
    prints: "0.91",
  },
  {
    name: "litellm",
    version: "1.108.7",
    set: { OPENROUTER_API_BASE: OPENROUTER_BASE, OPENROUTER_API_KEY: KEY },
    program: "litellm_openrouter",
    prints: "0.91",
  },
  {
    name: "pydecide",
    version: "0.2.19",
    set: { OPENROUTER_API_KEY: KEY },
    inCode: { base_url: OPENROUTER_BASE },
    program: "pydecide_openrouter",
    prints: "0.91",
  },
  {
    name: "jevlint",
    version: "1.3.0",
    set: {
      TYPESAFE_BASE_URL: "{{base_url}}",
      TYPESAFE_DEFAULT_MODEL: "typesafe/jev-latest",
      OPENROUTER_API_KEY: KEY,
    },
    program: "jevlint_openrouter",
    prints: "3 errors, 4 warnings, 4 advice · 3 calls, 3,600 tokens",
  },
  {
    name: "llm-openrouter-decisions",
    version: "0.1a1",
    set: { OPENROUTER_KEY: KEY },
    inCode: {
      API_URL: `${OPENROUTER_BASE}/alpha/decisions`,
      MODELS_URL: `${OPENROUTER_BASE}/v1/models?output_modalities=decisions`,
    },
    prints: "0.91",
  },
]

/** The packages that speak OpenAI's Decisions API and that programs of the tests run. */
export const OPENAI_CLIENTS: readonly ClientPackage[] = [
  { name: "openai", version: "3.57.0", set: OPENAI, program: "openai_decisions", prints: "0.91" },
  { name: "langchain-openai", version: "1.7.4", set: OPENAI, prints: "0.91" },
  { name: "litellm", version: "1.108.7", set: OPENAI, program: "litellm_openai", prints: "0.91" },
  {
    name: "pydecide",
    version: "0.2.19",
    set: { OPENAI_API_KEY: KEY },
    inCode: { base_url: OPENAI_BASE },
    program: "pydecide_openai",
    prints: "0.91",
  },
  {
    name: "llm-openai-decisions",
    version: "0.1",
    set: { OPENAI_API_KEY: KEY },
    inCode: { API_URL: `${OPENAI_BASE}/decisions` },
    prints: "0.91",
  },
]
