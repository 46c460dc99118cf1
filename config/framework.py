"""What Django and its REST framework are made of here: nothing that a deployment chooses."""

# --- Django -------------------------------------------------------------------------

INSTALLED_APPS = [
    "apps.core",
    "apps.desk.site.AdminSiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "django_q",
    "apps.desk",  # after django.contrib.auth, which makes the permissions that roles are of
    "apps.access",
    "apps.paywall",
    "apps.upstreams",
    "apps.chain",
    "apps.callbacks",
    "apps.staff",
    "apps.review",
    "apps.sar",
    "apps.oversight",
    "apps.watchlists",
    "apps.countries",
    "apps.lei",
    "apps.signals",
    "apps.screening",
    "apps.ongoing",
    "apps.registry",
    "apps.agents",
    "apps.vop",
    "apps.esg",
    "apps.sfdr",
    "apps.aml",
    "apps.stability",
    "apps.esgoracle",
    "apps.intelligence",
    "apps.forecast",
    "apps.payments",
    "apps.payments.pain001",
    "apps.travelrule",
    "apps.settlement",
    "apps.banking",
    "apps.reports",
    "apps.sandbox",
]
MIDDLEWARE = [
    "apps.core.middleware.ContentSecurity",
    "apps.core.middleware.KnownHosts",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "apps.core.middleware.ServiceHosts",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.access.middleware.SignInLimit",
    "django.contrib.messages.middleware.MessageMiddleware",
    "apps.staff.middleware.StaffDoor",
    "apps.oversight.middleware.RecordReads",
    "apps.travelrule.engagements.door.ExaminerDoor",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
] + [{"NAME": "apps.staff.signals.EndsSignIns"}]
ROOT_URLCONF = "config.urls"
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"  # also where a refused `next` leads
CSRF_FAILURE_VIEW = "apps.desk.refusals.csrf_failure"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
FORMAT_MODULE_PATH = "config.formats"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "apps.core.styles.Versioned"},
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {
        "hushed": {"()": "apps.core.hushed.Hushed"},
        "answered": {"()": "apps.core.hushed.Answered"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["hushed"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django.request": {"filters": ["answered"]},
        "django-q": {"level": "WARNING"},
        "urllib3": {"level": "INFO"},  # at DEBUG it would write addresses with their tokens
    },
}

# --- API ----------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "apps.core.openapi.RowSchema",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.0.3",
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "DISABLE_ERRORS_AND_WARNINGS": False,
    "POSTPROCESSING_HOOKS": [],
    # one document of all services: apps/core/checks.py judges each service's own
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
}
