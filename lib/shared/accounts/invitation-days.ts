/** How long an invitation can be accepted. Sending it again starts the days again. */
export const INVITATION_DAYS = 7
