-- AlterTable
ALTER TABLE "session" ADD COLUMN     "access_confirmed_at" TIMESTAMPTZ(6),
ADD COLUMN     "identity_confirmed_at" TIMESTAMPTZ(6),
ADD COLUMN     "operator_confirmed_at" TIMESTAMPTZ(6),
ADD COLUMN     "spending_confirmed_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "sign_in_token" ADD COLUMN     "scope" TEXT;
