/**
 * How long a sign-in lasts. `administratorHours` and `otherDays` count from signing in, however often the session is
 * refreshed. `idleMinutes` counts from the last request, for managers that ask for it.
 */
export const SESSION_LIMITS = { administratorHours: 12, otherDays: 30, idleMinutes: 30 } as const;
