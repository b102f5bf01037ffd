import { FIXED_RATES } from "@/lib/server/limits/fixed-rates"
import { ADMIN_API } from "./admin-api"
import { describeApi, type Json } from "./describe-api"

const INFO = `Operates the service by programs: what an operator's page or command can do, by the same code.

- Send an operator's token, which starts with \`svca_\`, as \`Authorization: Bearer\`. An operator creates it under Operator > Tokens or with \`operator token create\`. It has some of its creator's rights and ends with the creator's role.
- Each token may send ${FIXED_RATES.admin.perSecond} requests per second.
- Money is exact decimal text with twelve decimals. Lists return \`next\`, which is the \`after\` of the next page.`

/** Returns the OpenAPI 3.1 document of the admin API. */
export function adminDocument(): Json {
  const { paths, tags, schemas } = describeApi(ADMIN_API)
  return {
    openapi: "3.1.1",
    info: {
      title: "Decision service: administration",
      version: "1.0.0",
      description: INFO,
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: "/" }],
    security: [{ operatorToken: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        operatorToken: { type: "http", scheme: "bearer", description: "A token that starts with `svca_`." },
      },
      schemas,
    },
  }
}
