import MarkdownIt, { type Token } from 'markdown-it';

/** Deeper quotes and lists than people write are left as text, so that no text takes long to render. */
const DEEPEST_NESTING = 20;

/** The web, an email address, or a page of the product. Never a script or data. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:|\/(?![/\\]))/i;

const parser = new MarkdownIt({ html: false, breaks: true, maxNesting: DEEPEST_NESTING })
  // A picture from elsewhere would tell its server who has opened the page or the email.
  .disable(['image', 'table']);
parser.validateLink = (link) => SAFE_LINK.test(link);

// The page or the email around it has the first headings.
const FIRST_HEADING = 3;
parser.core.ruler.push('lower_headings', ({ tokens }) => {
  for (const token of tokens) {
    const level = /^h([1-6])$/.exec(token.tag)?.[1];
    if (level) token.tag = `h${Math.max(FIRST_HEADING, Number(level))}`;
  }
});

/**
 * The HTML of a text with Markdown (CommonMark), for a page or an email. It is safe whoever wrote the text: HTML in it is
 * shown as text, and links lead only to the web, to email and to pages of the product.
 * @param options.baseUrl put before links to pages of the product, for emails: https://tapeline.example
 * @param options.linkStyle the `style` of links, for emails
 */
export function markdownToHtml(text: string, options: { baseUrl?: string; linkStyle?: string } = {}): string {
  const { baseUrl = '', linkStyle } = options;
  const tokens = parser.parse(text, {});
  for (const inline of tokens) {
    for (const token of inline.children ?? []) {
      if (token.type !== 'link_open') continue;
      const href = String(token.attrGet('href'));
      if (href.startsWith('/')) token.attrSet('href', baseUrl + href);
      token.attrSet('rel', 'noopener noreferrer nofollow');
      if (linkStyle) token.attrSet('style', linkStyle);
    }
  }
  return parser.renderer.render(tokens, parser.options, {});
}

/** The words of a text with Markdown, without its marks: one line for each paragraph, heading and item. */
export function markdownToText(text: string): string {
  const wordsOf = ({ type, content, children }: Token): string => {
    if (children) return children.map(wordsOf).join('');
    return type === 'softbreak' || type === 'hardbreak' ? '\n' : content;
  };
  return parser
    .parse(text, {})
    .map(wordsOf)
    .filter((words) => words.trim() !== '')
    .join('\n');
}
