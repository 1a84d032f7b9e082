import { useField } from '@conform-to/react';
import { SESSION_LIMITS } from '@tapeline/domain/identity/session-limits.ts';
import { CheckboxField, TextField } from '../../components/forms/fields.tsx';
import { PanelSection } from '../../components/page/section.tsx';
import { paths } from '../../paths.ts';

const domainsOf = (example: string) =>
  `Domains of the email addresses of its people, one per line, for example ${example}`;

/** What the forms of parties say and where they lead. */
export const PARTIES = {
  company: {
    noun: 'borrower',
    facts: 'A borrower or originator, with its legal entity',
    domainsHint: domainsOf('northwind.test'),
    statusNote: 'A disabled borrower keeps its documents',
    list: paths.companies(),
    page: paths.company,
  },
  manager: {
    noun: 'manager',
    facts: 'A fund manager. It has its own borrowers, investors, funds and users, which no other manager sees.',
    domainsHint: domainsOf('harbour.test'),
    statusNote: 'The users of a disabled manager cannot sign in. Its documents are kept.',
    list: paths.managers(),
    page: paths.manager,
  },
  investor: {
    noun: 'investor',
    facts: 'A limited partner, with its legal entity',
    domainsHint: domainsOf('calder.test'),
    statusNote: 'A disabled investor keeps its commitments and documents',
    list: paths.investors(),
    page: paths.investor,
  },
} as const;

/** What only companies have. */
export function CompanyFields() {
  const [externalCode] = useField<string>('externalCode');
  return (
    <PanelSection title="Borrower" className="max-w-[46rem] p-4">
      <TextField field={externalCode} label="External code" hint="As the files of another system name the borrower" />
    </PanelSection>
  );
}

/** What only managers have: how long the sign-ins of their users last. */
export function ManagerFields() {
  const [endsIdleSessions] = useField<boolean>('endsIdleSessions');
  return (
    <PanelSection title="Sign-ins" className="max-w-[46rem] p-4">
      <CheckboxField
        field={endsIdleSessions}
        label={`Sign users out after ${SESSION_LIMITS.idleMinutes} minutes without activity`}
        hint={`Applies to all users of this manager, and to administrators. Otherwise a sign-in ends ${SESSION_LIMITS.administratorHours} hours after signing in for administrators, and after ${SESSION_LIMITS.otherDays} days for others.`}
      />
    </PanelSection>
  );
}
