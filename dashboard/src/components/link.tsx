// A link to another page of the workspace. A page that is shared with strangers has no other pages: there it is its text.
import { type AnchorHTMLAttributes, createContext, useContext } from "react";
import { Link as RouterLink } from "wouter";

export const SharedContext = createContext(false);

/** Whether the page is shown to people without an account. */
export function useIsShared(): boolean {
  return useContext(SharedContext);
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

export function Link(props: LinkProps) {
  if (!useIsShared()) return <RouterLink {...props} />;
  const { className, style, title, children } = props;
  return (
    <span className={className} style={style} title={title}>
      {children}
    </span>
  );
}
