import { z } from "zod"
import { oneOf, origin } from "./setting-values"

const PROTOCOL = { fallback: "`http/protobuf`", description: "No other protocol is supported" }

/** The settings of tracing, under the names that OpenTelemetry gives them. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: origin.optional().meta({
    fallback: "tracing is off",
    description: "The address of an OpenTelemetry collector. See [Traces](#traces)",
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: origin
    .optional()
    .meta({ fallback: "`OTEL_EXPORTER_OTLP_ENDPOINT`", description: "Its address for traces alone" }),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf("http/protobuf").optional().meta(PROTOCOL),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: oneOf("http/protobuf").optional().meta(PROTOCOL),
  OTEL_TRACES_SAMPLER: oneOf(
    ...(["always_on", "always_off", "traceidratio"] as const),
    ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
  )
    .optional()
    .meta({ fallback: "`parentbased_always_on`", description: "Which requests are recorded" }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: "must be a number" })
    .min(0)
    .max(1, "must be 1 or less")
    .optional()
    .meta({ fallback: "`1`", description: "The share of requests that a sampler with a ratio records" }),
  OTEL_SDK_DISABLED: oneOf("true", "false").default("false").describe("`true` turns tracing off"),
  OTEL_TRACES_EXPORTER: oneOf("otlp", "none").default("otlp").describe("`none` turns tracing off"),
}
