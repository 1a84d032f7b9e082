import { useField } from '@conform-to/react';
import { SESSION_LIMITS } from '@tapeline/domain/identity/session-limits.ts';
import { z } from 'zod';
import { CheckboxField } from '../../../components/forms/fields.tsx';
import { newPartySchema, partyEditSchema } from '../../../components/organizations/entity-form.ts';
import { Panel, Section } from '../../../components/page/section.tsx';

const own = { endsIdleSessions: z.boolean().default(false) };
export const newManagerSchema = newPartySchema.extend(own);
export const managerEditSchema = partyEditSchema.extend(own);

/** What only managers have: how long the sign-ins of their users last. */
export function ManagerFields() {
  const [endsIdleSessions] = useField<boolean>('endsIdleSessions');
  return (
    <Section title="Sign-ins">
      <Panel className="max-w-[46rem] p-4">
        <CheckboxField
          field={endsIdleSessions}
          label={`Sign users out after ${SESSION_LIMITS.idleMinutes} minutes without activity`}
          hint={`Applies to all users of this manager, and to administrators. Otherwise a sign-in ends ${SESSION_LIMITS.administratorHours} hours after signing in for administrators, and after ${SESSION_LIMITS.otherDays} days for others.`}
        />
      </Panel>
    </Section>
  );
}
