import ReactMarkdown from 'react-markdown';

/** What people may write. Raw HTML, images and frames are left out: nothing is loaded from elsewhere. */
const ALLOWED = [
  'p',
  'br',
  'strong',
  'em',
  'del',
  'h1',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'a',
  'blockquote',
  'code',
  'pre',
  'hr',
];

/** A text with Markdown, shown safely: its HTML is never interpreted, and links lead only to the web and to email. */
export function Markdown({ children }: { children: string }) {
  return (
    <div className="prose">
      <ReactMarkdown
        skipHtml
        allowedElements={ALLOWED}
        unwrapDisallowed
        components={{
          // The page has its own first headings.
          h1: ({ children: inside }) => <h3>{inside}</h3>,
          h2: ({ children: inside }) => <h3>{inside}</h3>,
          a: ({ href, children: inside }) => (
            <a href={href} rel="noopener noreferrer nofollow" className="text-accent underline">
              {inside}
            </a>
          ),
        }}
      >
        {children}
      </ReactMarkdown>
    </div>
  );
}
