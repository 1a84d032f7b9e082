import { loadedPart, ShownPart } from '../../../components/page/loaded-part.tsx';
import type { ApprovalPanel } from '../approvals.server.ts';

// A panel shows one request, and loads what shows requests of its kind.
const lending = () => import('./lending.tsx');
const capital = () => import('./capital.tsx');
const moneyOut = () => import('./money-out.tsx');
const DRAW = loadedPart(() => lending().then((part) => part.DrawDetails));
const CORRECTION = loadedPart(() => lending().then((part) => part.CorrectionDetails));
const CONTRACT = loadedPart(() => lending().then((part) => part.ContractDetails));
const ADJUSTMENT = loadedPart(() => lending().then((part) => part.AdjustmentDetails));
const WAIVER = loadedPart(() => lending().then((part) => part.WaiverDetails));
const HEADER = loadedPart(() => capital().then((part) => part.HeaderDetails));
const SET = loadedPart(() => capital().then((part) => part.SetDetails));
const TERMS = loadedPart(() => capital().then((part) => part.TermsDetails));
const PAYOUT = loadedPart(() => moneyOut().then((part) => part.PayoutDetails));
const RUN = loadedPart(() => moneyOut().then((part) => part.RunDetails));

/** What is asked, what was checked and what blocks it. */
export function Details({ panel }: { panel: ApprovalPanel }) {
  const { details } = panel;
  switch (details.kind) {
    case 'draw':
      return <ShownPart of={DRAW} panel={panel} details={details} />;
    case 'correction':
      return <ShownPart of={CORRECTION} details={details} />;
    case 'call':
    case 'distribution':
      return <ShownPart of={HEADER} details={details} />;
    case 'writeOff':
    case 'navs':
    case 'statements':
      return <ShownPart of={SET} details={details} />;
    case 'fundTerms':
    case 'investorTerms':
      return <ShownPart of={TERMS} details={details} />;
    case 'contract':
      return <ShownPart of={CONTRACT} details={details} />;
    case 'adjustment':
      return <ShownPart of={ADJUSTMENT} details={details} />;
    case 'waiver':
      return <ShownPart of={WAIVER} details={details} />;
    case 'payoutAccount':
      return <ShownPart of={PAYOUT} details={details} />;
    case 'paymentRun':
      return <ShownPart of={RUN} details={details} />;
  }
}
