// A link to another page of the workspace. A page that is shared with strangers has no other pages: there it is its text.
// The router's own link listens to the URL, which is slow on pages with hundreds of links.
import { type AnchorHTMLAttributes, createContext, type MouseEvent, useContext } from "react";
import { useRouter } from "wouter";
import { navigate } from "wouter/use-browser-location";

export const SharedContext = createContext(false);

/** Whether the page is shown to people without an account. */
export function useIsShared(): boolean {
  return useContext(SharedContext);
}

/** A path within the workspace; after a tilde, a path of the service. */
type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string };

export function Link({ href, onClick, ...props }: LinkProps) {
  const { base } = useRouter();
  if (useIsShared()) {
    const { className, style, title, children } = props;
    return (
      <span className={className} style={style} title={title}>
        {children}
      </span>
    );
  }
  const path = href.startsWith("~") ? href.slice(1) : base + href;
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    const { ctrlKey, metaKey, altKey, shiftKey, button } = event;
    // The browser opens these in another tab or window.
    if (ctrlKey || metaKey || altKey || shiftKey || button !== 0) return;
    onClick?.(event);
    event.preventDefault();
    navigate(path);
  };
  return <a {...props} href={path} onClick={follow} />;
}
