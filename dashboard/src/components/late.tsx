// Parts of the pages whose code is loaded when they are first shown. Code that can't be loaded fails like a request: with
// a message and a way to try again, and after an upgrade, whose chunks have other names, by loading the page anew.
import { QueryClient, useQuery } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { RequestError } from "../api/http-request.ts";
import { QueryView } from "./query-view.tsx";

// Apart from the data, which signing out forgets.
const codeClient = new QueryClient();
codeClient.mount();

const reloadedKey = "starpost-reloaded-at";
/** A service that lacks a chunk of its own must not make the page reload for ever. */
const reloadPauseMs = 60_000;

export function lateComponent<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  { name, height }: { name: Name; height: number },
) {
  const read = async () => {
    try {
      const Component: ComponentType<Props> = (await load())[name];
      return { Component };
    } catch {
      if (Date.now() - readReloadTime() > reloadPauseMs) await reloadIfServed();
      throw new RequestError({
        status: 0,
        code: "unreachable",
        detail: "This part of the page couldn't be loaded. Check your connection and try again.",
      });
    }
  };
  return function Late(props: Props) {
    const query = useQuery(
      {
        queryKey: [name],
        queryFn: read,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        retry: false,
        networkMode: "always",
        refetchOnReconnect: true,
      },
      codeClient,
    );
    // Browsers may remember that a script failed: only a new page asks for it again.
    const retry = () => reloadIfServed().then(() => query.refetch());
    return (
      <QueryView
        query={{ ...query, refetch: retry }}
        height={height}
        loadingLabel="Loading the page"
      >
        {({ Component }) => <Component {...props} />}
      </QueryView>
    );
  };
}

/** Loads the page anew, in which case it does not return, unless the service can't be reached. */
async function reloadIfServed(): Promise<void> {
  try {
    const response = await fetch("/", { cache: "no-store" });
    if (!response.ok) return;
    sessionStorage.setItem(reloadedKey, String(Date.now()));
  } catch {
    // Offline, or without storage to remember the reload.
    return;
  }
  window.location.reload();
  await new Promise(() => undefined);
}

function readReloadTime(): number {
  try {
    return Number(sessionStorage.getItem(reloadedKey));
  } catch {
    return Date.now();
  }
}
