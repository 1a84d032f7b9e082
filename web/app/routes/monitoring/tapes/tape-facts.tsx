import { DateText, Name } from '../../../components/figures/figures.tsx';

/** The facts that a page about one tape begins with: its name and cut-off date. */
export const tapeFacts = ({ title, cutOffDate }: { title: string; cutOffDate: string }) => [
  <Name key="tape" length={60}>
    {title}
  </Name>,
  <>
    cut-off{' '}
    <b>
      <DateText value={cutOffDate} />
    </b>
  </>,
];
