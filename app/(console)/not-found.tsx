export { NotFoundPage as default } from "@/components/failure-page"
