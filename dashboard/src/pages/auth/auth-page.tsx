// The frame of pages outside of a workspace, like that of sign-in.html.
import { type ReactNode, useEffect } from "react";
import { ServiceStrip } from "../../components/service-strip.tsx";

export function AuthPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Starpost`;
  }, [title]);
  return (
    <main className="auth-page">
      <ServiceStrip />
      <div className="auth-brand">
        <img src="/favicon.svg" alt="" width={32} height={32} />
        Starpost
      </div>
      <div className="auth-card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
