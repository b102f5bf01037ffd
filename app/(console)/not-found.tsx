import { NotFoundView } from "@/components/not-found-view"

export default NotFoundView
