/* A sign-in page in C: a window with a button, which opens a window with a web view. It is the measure for
 * how soon the app may show one. What the app's own view is told that costs time, this one is told, too: no
 * graphics card, and an authority of its own for certificates.
 *
 * usage: page URL CERTIFICATE_FILE
 */
#include <adwaita.h>
#include <webkit/webkit.h>

static const char *url;
static GTlsCertificate *certificate;

static GtkWidget *make_view(void) {
  GUri *place = g_uri_parse(url, G_URI_FLAGS_NONE, NULL);
  WebKitNetworkSession *session = webkit_network_session_new_ephemeral();
  webkit_network_session_allow_tls_certificate_for_host(session, certificate, g_uri_get_host(place));
  WebKitSettings *settings = webkit_settings_new();
  webkit_settings_set_hardware_acceleration_policy(
      settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER);
  GtkWidget *view = g_object_new(
      WEBKIT_TYPE_WEB_VIEW, "network-session", session, "settings", settings, "hexpand", TRUE,
      "vexpand", TRUE, NULL);
  g_object_unref(settings);
  g_object_unref(session);
  g_uri_unref(place);
  return view;
}

static void sign_in(GtkButton *button) {
  GtkWindow *parent = GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(button)));
  GtkWidget *window = adw_window_new();
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *view = make_view();
  gtk_box_append(GTK_BOX(box), adw_header_bar_new());
  gtk_box_append(GTK_BOX(box), view);
  adw_window_set_content(ADW_WINDOW(window), box);
  gtk_window_set_title(GTK_WINDOW(window), "Sign In");
  gtk_window_set_default_size(GTK_WINDOW(window), 480, 640);
  gtk_window_set_transient_for(GTK_WINDOW(window), parent);
  gtk_window_set_modal(GTK_WINDOW(window), TRUE);
  gtk_window_present(GTK_WINDOW(window));
  webkit_web_view_load_uri(WEBKIT_WEB_VIEW(view), url);
}

static void activate(GtkApplication *application) {
  GtkWidget *window = gtk_application_window_new(application);
  GtkWidget *button = gtk_button_new_with_label("Sign In");
  g_signal_connect(button, "clicked", G_CALLBACK(sign_in), NULL);
  gtk_window_set_title(GTK_WINDOW(window), "Page");
  gtk_window_set_default_size(GTK_WINDOW(window), 400, 300);
  gtk_window_set_child(GTK_WINDOW(window), button);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  GError *error = NULL;
  if (argc != 3) return g_printerr("usage: page URL CERTIFICATE_FILE\n"), 2;
  url = argv[1];
  certificate = g_tls_certificate_new_from_file(argv[2], &error);
  if (!certificate) return g_printerr("%s\n", error->message), 2;
  AdwApplication *application =
      adw_application_new("io.github.entrance.Benchmark", G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), 1, argv);
}
