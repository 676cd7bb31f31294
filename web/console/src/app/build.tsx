import { useEffect, useState } from "react";
import { onBuild } from "../api/client";
import { Button } from "../ui/button";
import { build } from "./place";

/** Offers to reload when the server has a newer build of the page. */
export function NewerBuild() {
  const [newer, setNewer] = useState(false);
  useEffect(() => onBuild((served) => setNewer((was) => was || (build !== "" && served !== build))), []);
  if (!newer) return null;
  return (
    <div className="banner" role="status">
      <span>The server has a newer version of this page. What you typed is kept.</span>
      <Button size="s" kind="primary" onPress={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
