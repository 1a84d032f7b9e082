import { Link } from '@remix-run/react';
import { Name, Unknown } from '../../components/figures/figures.tsx';
import { paths } from '../../paths.ts';

/** The fund of a call or distribution, in the header of its page. */
export function FundLink({ id, title }: { id: string; title: string | null }) {
  if (title === null) return <Unknown reason="You cannot see this fund" />;
  return (
    <Link to={paths.fund(id)} className="font-medium text-ink hover:text-accent">
      <Name length={60}>{title}</Name>
    </Link>
  );
}
