import { logDownload } from "../_components/log-download"

export const GET = logDownload("jsonl")
