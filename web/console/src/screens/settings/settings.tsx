import { Link, useParams } from "@tanstack/react-router";
import { useTitle } from "../../app/shell";
import { setTheme, useTheme, type Theme } from "../../app/theme";
import { Choice } from "../../ui/field";
import { Empty } from "../../ui/state";
import { Tabs } from "../../ui/tabs";
import { Models } from "./models";
import { Sessions } from "./sessions";
import { Tokens } from "./tokens";
import { Usage } from "./usage";

const tabs = [
  { id: "tokens", name: "API tokens" },
  { id: "sessions", name: "Sessions" },
  { id: "usage", name: "Usage" },
  { id: "models", name: "Models" },
  { id: "appearance", name: "Appearance" },
];

/** What belongs to the reader rather than to data. */
export function Settings() {
  const { tab } = useParams({ from: "/settings/$tab" });
  useTitle(tabs.find((one) => one.id === tab)?.name ?? "Settings");
  return (
    <div className="page settings">
      <header className="page-head">
        <h1>Settings</h1>
      </header>
      <Tabs label="Settings">
        {tabs.map((one) => (
          <Link key={one.id} to="/settings/$tab" params={{ tab: one.id }} className="tab">
            {one.name}
          </Link>
        ))}
      </Tabs>
      <div className="tab-body">
        {tab === "tokens" ? (
          <Tokens />
        ) : tab === "sessions" ? (
          <Sessions />
        ) : tab === "usage" ? (
          <Usage />
        ) : tab === "models" ? (
          <Models />
        ) : tab === "appearance" ? (
          <Appearance />
        ) : (
          <Empty icon="search" title="There is no such tab" />
        )}
      </div>
    </div>
  );
}

function Appearance() {
  const theme = useTheme();
  return (
    <section className="stack" aria-label="Appearance">
      <Choice
        label="Theme"
        value={theme}
        onChange={(id) => setTheme(id as Theme)}
        options={[
          { id: "system", name: "As the system" },
          { id: "light", name: "Light" },
          { id: "dark", name: "Dark" },
        ]}
      />
      <p className="quiet small">Kept in this browser.</p>
    </section>
  );
}
