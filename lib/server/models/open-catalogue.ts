import { runtime } from "@/lib/server/platform/runtime"
import { loadCatalogue } from "./load-catalogue"
import { seedModels } from "./seed-models"

/** Loads the catalogue for a command. Seeds it first when no server has started on this database yet. */
export async function openCatalogue(): Promise<void> {
  await loadCatalogue()
  if (runtime().catalogue.list().length > 0) return
  await seedModels()
  await loadCatalogue()
}
