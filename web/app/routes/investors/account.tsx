import { storeBankLetter } from '../../commands/form-files.server.ts';
import { accountRequestAction, accountRequestLoader } from '../../components/organizations/account-request.server.ts';
import { AccountRequestPage } from '../../components/organizations/account-request.tsx';
import { named } from '../../components/page/page-name.ts';

export const handle = named<typeof loader>(({ name, cancelTo }) => [[name, cancelTo], 'Different account']);

export const loader = accountRequestLoader('LPs');
export const action = accountRequestAction('LPs', storeBankLetter);

export default AccountRequestPage;
