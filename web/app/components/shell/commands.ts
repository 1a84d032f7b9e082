import { can, type PermissionKey, type UserActor, type UserType } from '@tapeline/domain/people/actor.ts';
import { paths } from '../../paths.ts';

interface Command {
  readonly label: string;
  readonly to: string;
  readonly permission: PermissionKey;
  readonly types?: readonly UserType[];
}

const STAFF = ['admin', 'manager'] as const;

/** What a user can start from the search. */
const COMMANDS: readonly Command[] = [
  { label: 'Upload a loan tape', to: paths.newTape(), permission: 'assets/write' },
  { label: 'Request a draw', to: paths.newDraw(), permission: 'transactionDraw/write' },
  { label: 'Record a repayment', to: paths.newRepayment(), permission: 'repayments/write', types: STAFF },
  { label: 'New facility', to: paths.newTransaction(), permission: 'transactions/write', types: STAFF },
  { label: 'New borrower', to: paths.newCompany(), permission: 'companies/write', types: STAFF },
  { label: 'New mapping', to: paths.newMapping(), permission: 'assets/ETL/write', types: STAFF },
  { label: 'New fund', to: paths.newFund(), permission: 'funds/write', types: STAFF },
  { label: 'New main fund', to: paths.newMainFund(), permission: 'funds/write', types: STAFF },
  { label: 'New investor', to: paths.newInvestor(), permission: 'LPs/write', types: STAFF },
  { label: 'New capital call', to: paths.newCapitalCall(), permission: 'contributions/write', types: STAFF },
  { label: 'New distribution', to: paths.newDistribution(), permission: 'distributions/write', types: STAFF },
  { label: 'New user', to: paths.newUser(), permission: 'users/write', types: STAFF },
  { label: 'New entity', to: paths.newEntity(), permission: 'entities/write', types: STAFF },
];

/** The commands that the actor may run and whose screens exist. */
export const commandsFor = (actor: UserActor, screenPaths: readonly string[]): Pick<Command, 'label' | 'to'>[] =>
  COMMANDS.filter(
    ({ to, permission, types }) =>
      screenPaths.includes(to) && can(actor, permission) && (types === undefined || types.includes(actor.type)),
  ).map(({ label, to }) => ({ label, to }));
