import { Refusal } from '../errors/refusal.ts';
import type { OnboardingStep, UserActor } from './actor.ts';

/** What to do before anything else opens, one sentence per step. */
const ONBOARDING_MESSAGES: Record<OnboardingStep, { flag: string; message: string }> = {
  privacyAndTerms: { flag: 'isReadPrivacyAndTerms', message: 'Accept the privacy notice and the terms of use first' },
  userDetails: { flag: 'isConfirmedUserDetails', message: 'Confirm your details first' },
};

/**
 * Refuses a user who has not accepted the privacy notice and the terms, or not confirmed their details.
 * @throws Refusal forbidden, with a flag for each step that remains
 */
export function requireOnboarded({ onboarding }: Pick<UserActor, 'onboarding'>): void {
  const [first] = onboarding;
  if (first === undefined) return;
  const flags = Object.fromEntries(onboarding.map((step) => [ONBOARDING_MESSAGES[step].flag, 'must be true']));
  throw new Refusal('forbidden', ONBOARDING_MESSAGES[first].message, { flags });
}
